export { BAD_DAYS, type BadDay, type ServerBehaviour } from "./bad-days.ts";
export { DECISION_DAYS, decisionAnswers, type DecisionDay } from "./decisions.ts";
export {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
  type SeenRequest,
} from "./start-model-server.ts";
