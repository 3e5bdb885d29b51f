import { field, isMap, opened, textField } from "./messages/foreign-json.ts";

/** The node of a LangGraph graph a span ran in, out of the metadata LangGraph gives every run. */
export function graphNode(metadata: unknown): string | undefined {
  const open = opened(metadata);
  if (!isMap(open)) return undefined;
  const node = textField(open, "langgraph_node");
  if (node !== undefined) return node;
  const inner = opened(field(open, "metadata"));
  return isMap(inner) ? textField(inner, "langgraph_node") : undefined;
}
