import * as sdk from "@agent-step-value/sdk";
import * as capture from "@agent-step-value/sdk/capture";
import * as jsonl from "@agent-step-value/sdk/jsonl";
import * as score from "@agent-step-value/sdk/score";
import * as testing from "@agent-step-value/sdk/testing";
import { expect, it } from "vitest";

// What is public is public on purpose: a name that comes or goes shows here.
it.each(Object.entries({ sdk, capture, jsonl, score, testing }))("%s exports these names", (_, entry) => {
  expect(Object.keys(entry).toSorted()).toMatchSnapshot();
});
