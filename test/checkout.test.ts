import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");

describe("the checkout", () => {
  it("runs on the Node it brings, or on one that is new enough", () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    expect(major > 22 || (major === 22 && minor >= 18), `Node ${process.version} runs TypeScript`).toBe(true);
  });

  it("has a lockfile without addresses, with an integrity for every package", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
    };
    const installed = Object.entries(packages).filter(
      ([path, { link }]) => path.includes("node_modules/") && !link,
    );
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });

  it("pins every dependency exactly", () => {
    const files = [
      "package.json",
      ...["packages", "examples"].flatMap((folder) =>
        readdirSync(fileURLToPath(new URL(`../${folder}`, import.meta.url))).map(
          (name) => `${folder}/${name}/package.json`,
        ),
      ),
    ];
    expect(files.length).toBeGreaterThan(9);
    for (const file of files) {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file));
      for (const [name, range] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      })) {
        expect(range, `${name} in ${file}`).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+$/);
      }
    }
  });

  it("has a README of one screen whose set-up is two commands", () => {
    const readme = read("README.md");
    expect(readme).toContain("npm ci && npm run quickstart");
    expect(readme).toContain("npm ci && npm test");
    expect(readme.split("\n").length).toBeLessThan(90);
  });
});
