import type { KeyRule } from "./key-rule.ts";

/**
 * When things happened in the run. `date`, `time`, `year`, `start_time` and `end_time` stay: a
 * paper's date and a flight's departure are evidence.
 */
export const timeKeys: readonly KeyRule[] = [
  {
    id: "key-timestamp",
    when: {
      name: (
        "timestamp timestamps time_stamp timestamp_ms ts created_at updated_at started_at ended_at finished_at completed_at received_at " +
        "sent_at logged_at recorded_at observed_at_ms create_time update_time start_time_unix_nano end_time_unix_nano time_unix_nano " +
        "observed_time_unix_nano start_timestamp end_timestamp start_time_ms end_time_ms created_timestamp updated_timestamp"
      ).split(" "),
    },
    do: "remove",
  },
  {
    id: "key-created",
    when: { name: ["created"], value: (value) => typeof value === "number" },
    do: "remove",
  },
];
