import { startModelServer } from "@agent-step-value/sdk/testing";

// A model server in a process of its own, so that it takes no time from the client that is measured.
const server = await startModelServer({ latencyMs: Number(process.argv[2] ?? 0), keep: 0 });
process.on("message", () => process.send!(server.counts));
process.on("disconnect", () => process.exit(0));
process.send!(server.baseUrl);
