import type { KeyRule } from "./key-rule.ts";

/**
 * When things happened in the run. `date`, `time`, `year`, `start_time` and `end_time` stay: a
 * paper's date and a flight's departure are evidence. `created_at` and its like are a rule of their
 * own, since a tool's records carry them too: a host whose task turns on them leaves it out.
 */
export const timeKeys: readonly KeyRule[] = [
  {
    id: "key-timestamp",
    when: {
      name: (
        "timestamp timestamps time_stamp timestamp_ms ts started_at ended_at finished_at completed_at received_at sent_at " +
        "logged_at recorded_at observed_at start_time_unix_nano end_time_unix_nano time_unix_nano observed_time_unix_nano " +
        "start_timestamp end_timestamp start_time_ms end_time_ms"
      ).split(" "),
    },
    do: "remove",
  },
  {
    id: "key-created-at",
    when: {
      name: (
        "created_at updated_at modified_at create_time update_time created_time updated_time created_timestamp " +
        "updated_timestamp last_updated_at last_modified_at"
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
