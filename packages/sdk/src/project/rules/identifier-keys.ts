import type { KeyRule } from "./key-rule.ts";

/**
 * Ids of requests, traces, runs and spans: different in every run, so they move belief by noise
 * alone, and lead back to the run's records. Ids of things (`id`, `pmid`, `tool_call_id`) stay.
 */
export const identifierKeys: readonly KeyRule[] = [
  {
    id: "key-identifier",
    when: {
      name: (
        "request_id x_request_id req_id trace_id span_id run_id parent_run_id parent_span_id parent_trace_id root_run_id root_span_id " +
        "child_run_ids run_ids trace_ids span_ids request_ids correlation_id x_correlation_id invocation_id execution_id generation_id " +
        "completion_id response_id session_id thread_id conversation_id checkpoint_id checkpoint_ns parent_checkpoint_id " +
        "traceparent tracestate dotted_order client_request_id amzn_request_id x_amzn_request_id"
      ).split(" "),
    },
    do: "remove",
  },
];
