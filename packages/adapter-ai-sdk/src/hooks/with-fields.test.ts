import { describe, expect, it } from "vitest";
import { withFields } from "./with-fields.ts";

describe("withFields", () => {
  it("plain data is copied, and left as it was", () => {
    const value = Object.freeze({ a: 1, b: 2 });
    expect(withFields(value, { b: 3, c: 4 })).toEqual({ a: 1, b: 3, c: 4 });
    expect(value).toEqual({ a: 1, b: 2 });
  });

  it("what stands in for an instance has its fields, inherited ones too, and says so", () => {
    class Base {
      own = 1;
      other = 2;
      #secret = 3;
      get secret() {
        return this.#secret;
      }
      tell() {
        return this.#secret;
      }
    }
    const value = Object.freeze(new Base());
    const standIn = withFields(value, { other: 4, more: 5 });
    expect(standIn).toBeInstanceOf(Base);
    expect({ ...standIn }).toEqual({ own: 1, other: 4, more: 5 });
    expect(Object.keys(standIn)).toEqual(["own", "other", "more"]);
    expect(["secret", "tell", "more", "none"].map((name) => name in standIn)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([standIn.secret, standIn.tell()]).toEqual([3, 3]);
    expect(value.other).toBe(2);
  });

  it("a method is called on what it is called on", () => {
    class Base {
      name = "base";
      tell() {
        return this.name;
      }
    }
    const tell = Reflect.get(withFields(new Base(), {}), "tell") as (this: object) => string;
    expect(tell.call({ name: "other" })).toBe("other");
  });
});
