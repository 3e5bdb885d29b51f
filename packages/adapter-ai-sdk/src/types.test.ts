import * as ai7 from "ai";
import { registerTelemetry, type Telemetry } from "ai";
import * as ai5 from "ai-v5";
import * as ai6 from "ai-v6";
import { registerTelemetryIntegration, type TelemetryIntegration } from "ai-v6";
import { readFileSync, readdirSync } from "node:fs";
import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { memorySink } from "@agent-step-value/sdk/capture";
import { asvTelemetry, withASVCapture, type ASVTelemetry } from "./index.ts";
import { majors } from "./majors.test-support.ts";

const [five, six, seven] = majors as [(typeof majors)[0], (typeof majors)[0], (typeof majors)[0]];
const schema = z.object({ colour: z.string() });
const turns = [{ text: '{"colour":"green"}' }];
const options = { sinks: [memorySink()] };

it("what is wrapped has the type of what was given, generics and all", async () => {
  const captured7 = withASVCapture(ai7, options);
  expectTypeOf(captured7).toEqualTypeOf(ai7);
  const seventh = await captured7.generateText({
    model: seven.model(turns).model as ai7.LanguageModel,
    prompt: "x",
    output: captured7.Output.object({ schema }),
  });
  expectTypeOf(seventh.output).toEqualTypeOf<{ colour: string }>();
  expect(seventh.output.colour).toBe("green");

  const captured6 = withASVCapture(ai6, options);
  expectTypeOf(captured6).toEqualTypeOf(ai6);
  const sixth = await captured6.generateText({
    model: six.model(turns).model as ai6.LanguageModel,
    prompt: "x",
    output: captured6.Output.object({ schema }),
  });
  expectTypeOf(sixth.output).toEqualTypeOf<{ colour: string }>();
  expect(sixth.output.colour).toBe("green");

  const captured5 = withASVCapture(ai5, options);
  expectTypeOf(captured5).toEqualTypeOf(ai5);
  const fifth = await captured5.generateText({
    model: five.model(turns).model as ai5.LanguageModel,
    prompt: "x",
    experimental_output: captured5.Output.object({ schema }),
  });
  expectTypeOf(fifth.experimental_output).toEqualTypeOf<{ colour: string }>();
  expect(fifth.experimental_output.colour).toBe("green");
});

it("an agent stays the agent it is", () => {
  const tools = { look: ai7.tool({ inputSchema: schema, execute: ({ colour }) => colour.length }) };
  const agent = new ai7.ToolLoopAgent({ model: seven.model(turns).model as ai7.LanguageModel, tools });
  const captured = withASVCapture(agent, options);
  expectTypeOf(captured).toEqualTypeOf(agent);
  expect(captured.tools).toBe(agent.tools);
});

it("the integration is one of AI SDK 7 and of 6", () => {
  expectTypeOf<ASVTelemetry>().toExtend<Telemetry>();
  expectTypeOf<ASVTelemetry>().toExtend<TelemetryIntegration>();
  expectTypeOf(registerTelemetry).toBeCallableWith(asvTelemetry(options));
  expectTypeOf(registerTelemetryIntegration).toBeCallableWith(asvTelemetry(options));
  expect(Object.keys(asvTelemetry(options))).toContain("onStepStart");
});

it("nothing that is shipped imports ai, nor names a type of it", () => {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const shipped = files.filter((file) => file.endsWith(".ts") && !/\.test(-support)?\.ts$/.test(file));
  expect(shipped.length).toBeGreaterThan(25);
  for (const file of shipped) {
    const text = readFileSync(new URL(file, folder), "utf8");
    expect(text, file).not.toMatch(/^(import|export)[^;]* from "(ai|ai-v\d|@ai-sdk\/[^"]+)";/m);
    expect(text, file).not.toMatch(/^import[^;]* from "node:/m);
  }
});
