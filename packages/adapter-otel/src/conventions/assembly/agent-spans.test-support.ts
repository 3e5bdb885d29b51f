import type { SpanFields as Fields } from "../spans.test-support.ts";

export const says = (role: string, content: string) => ({ role, content });
export const asks = (id: string | undefined, name: string, args: string, content = "") => ({
  role: "assistant",
  content,
  tool_calls: [{ ...(id !== undefined && { id }), name, args }],
});
export const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });

const operation = (name: string, more: object = {}) => ({ "gen_ai.operation.name": name, ...more });

/** An agent's span, long enough to hold what follows. */
export function agent(id: string, fields: Partial<Fields> & { name?: string } = {}): Fields {
  const { name = id, ...rest } = fields;
  return {
    id,
    at: 0,
    until: 10_000,
    ...rest,
    attributes: operation("invoke_agent", { "gen_ai.agent.name": name }),
  };
}

/** A model call with what it was given and gave; either may be missing. */
export function model(
  id: string,
  at: number,
  given: readonly unknown[] | undefined,
  gave: unknown,
  fields: Partial<Fields> = {},
): Fields {
  return {
    id,
    parent: "run",
    at,
    ...fields,
    attributes: operation("chat", {
      ...(given !== undefined && { "gen_ai.input.messages": JSON.stringify(given) }),
      ...(gave !== undefined && { "gen_ai.output.messages": JSON.stringify([gave]) }),
      ...fields.attributes,
    }),
  };
}

/** A tool's span. */
export function toolSpan(
  id: string,
  at: number,
  name: string,
  { callId, args, gave, ...fields }: Partial<Fields> & { callId?: string; args?: string; gave?: string } = {},
): Fields {
  return {
    id,
    parent: "run",
    at,
    ...fields,
    attributes: operation("execute_tool", {
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": callId,
      "gen_ai.tool.call.arguments": args,
      "gen_ai.tool.call.result": gave,
    }),
  };
}
