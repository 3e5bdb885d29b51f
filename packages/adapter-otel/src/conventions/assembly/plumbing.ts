import type { SpanNode } from "./span-node.ts";

/** Bookkeeping of LangGraph and LangChain: routing, channel traffic, wrappers, prompts and parsers. */
const NAMES =
  /^(?:__\w+__|should_continue|tools_condition|LangGraphUpdateState|(?:Channel(?:Write|Read)|Branch)(?:<.*)?|Runnable(?:Sequence|Lambda|Parallel|Map|Passthrough|Assign|Pick|Binding|Branch|WithFallbacks)(?:<.*)?|\w*PromptTemplate|\w*OutputParser|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT)(?: .*)?)$/;

const TRAFFIC = /^(?:http|rpc|db|messaging|asgi|url|net)\./;

/** HTTP, RPC, A2A and database traffic that an agent's tracer was handed along with its own spans. */
function isTraffic({ span }: SpanNode): boolean {
  if (/^a2a\.|^MCP (?:send|receive)/i.test(span.name)) return true;
  for (const key of span.attributes.keys()) if (TRAFFIC.test(key)) return true;
  return false;
}

/** True for a wrapper of a framework's own, whatever kind of span its tracer makes of it. */
export function isWrapper({ reading }: SpanNode): boolean {
  return NAMES.test(reading.name);
}

/**
 * True for a unit of work that says nothing about the run's state. Within a node of a graph only the node
 * itself counts: everything inside it that is no call is its routing.
 */
export function isPlumbing(node: SpanNode): boolean {
  const { reading } = node;
  if (node.role !== "node") return node.role === "plumbing";
  if (reading.node !== undefined && reading.node !== reading.name && node.parent !== undefined) return true;
  return isWrapper(node) || isTraffic(node);
}
