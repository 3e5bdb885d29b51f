/** The house's import rules, checked by `npm run lint:imports`. docs/architecture.md draws them. */

const floors = {
  errors: 0,
  math: 0,
  schema: 1,
  jsonl: 1,
  "python-literal": 1,
  project: 2,
  candidates: 2,
  diagnose: 2,
  capture: 3,
  protocol: 3,
  import: 3,
  summarize: 3,
  evaluators: 4,
  compare: 4,
  cues: 4,
  export: 4,
  score: 5,
  probe: 5,
  batch: 6,
};
const tests = "\\.test\\.ts$";
const sdk = "^packages/sdk/src/";
const rooms = (names) => `${sdk}(${names.join("|")})/`;

const floorRules = Object.entries(floors).map(([room, floor]) => {
  const above = Object.keys(floors).filter((other) => floors[other] > floor);
  return {
    name: `floor-${floor}-${room}`,
    comment: `${room} (floor ${floor}) imports only rooms of its own floor or below`,
    severity: "error",
    from: { path: `${sdk}${room}/`, pathNot: tests },
    to: { path: above.length > 0 ? rooms(above) : "^nothing-stands-above$" },
  };
});

module.exports = {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolvable",
      comment: "the benches of the adapters install what they compare with in their own folders, on demand",
      severity: "error",
      from: { pathNot: "^bench/(langchain|ai-sdk)-overhead/" },
      to: { couldNotResolve: true },
    },
    ...floorRules,
    {
      name: "math-stands-alone",
      severity: "error",
      from: { path: `${sdk}math/`, pathNot: tests },
      to: { path: sdk, pathNot: `${sdk}math/` },
    },
    {
      name: "arithmetic-knows-no-scoring",
      comment: "diagnose, summarize, compare and export only compute; they never project, render or score",
      severity: "error",
      from: { path: rooms(["diagnose", "summarize", "compare", "export"]), pathNot: tests },
      to: {
        path: rooms([
          "project",
          "candidates",
          "protocol",
          "import",
          "evaluators",
          "cues",
          "score",
          "probe",
          "batch",
          "capture",
          "jsonl",
        ]),
      },
    },
    {
      name: "live-knows-no-scoring",
      comment: "code that runs inside an agent never pulls in an evaluator",
      severity: "error",
      from: { path: rooms(["project", "capture"]), pathNot: tests },
      to: {
        path: rooms([
          "candidates",
          "protocol",
          "import",
          "evaluators",
          "score",
          "probe",
          "batch",
          "diagnose",
          "summarize",
          "compare",
          "cues",
          "export",
        ]),
      },
    },
    {
      name: "core-runs-anywhere",
      comment: "only jsonl, the score file cache and testing may touch node:",
      severity: "error",
      from: {
        path: sdk,
        pathNot: [
          tests,
          `${sdk}jsonl/`,
          `${sdk}score/(file-cache|index)`,
          `${sdk}testing/`,
          `${sdk}capture/jsonl-sink`,
        ],
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "front-door-loads-anywhere",
      comment: "the main entry must not reach a node: module through another room",
      severity: "error",
      from: { path: `${sdk}index\\.ts$` },
      to: {
        path: `${sdk}(testing|score/file-cache|score/index\\.ts|jsonl/(index|output|append-output|jsonl-writer))`,
        reachable: true,
      },
    },
    {
      name: "testing-is-for-tests",
      severity: "error",
      from: { path: `${sdk}(?!testing/)`, pathNot: tests },
      to: { path: `${sdk}testing/` },
    },
    {
      name: "packages-by-entry-point",
      comment: "one package reaches another only through its package name",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/([^/]+)/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    {
      name: "sdk-knows-no-package",
      severity: "error",
      from: { path: "^packages/sdk/" },
      to: { path: "^packages/(?!sdk/)" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(node_modules|dist)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ["@agent-step-value/source", "import", "node", "default", "types"],
      exportsFields: ["exports"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json"],
    },
  },
};
