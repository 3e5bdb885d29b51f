import { defineProtocol, protocolRecord, protocols, type Trajectory } from "@agent-step-value/sdk";
import { fixtureTrajectory, syntheticStudy } from "@agent-step-value/sdk/testing";
import type { ScoredChannel } from "./measured-report.ts";
import { scriptedChannel } from "./scripted-channel.ts";

/** Runs at the edges of what can be measured, each with the words the report must say. */
export function degenerateRuns(): {
  name: string;
  trajectories: Trajectory[];
  channels: ScoredChannel[];
  audit: boolean;
  /** Words that the report must hold. */
  says: string[];
}[] {
  const one = [fixtureTrajectory()];
  const study = syntheticStudy({ trajectories: 3 });
  const untargeted = study.trajectories.map((trajectory) => withoutTarget(trajectory));
  const protocol = study.channels[0]!.protocol;
  return [
    {
      name: "no runs",
      trajectories: [],
      channels: [{ protocol, records: [protocolRecord(protocol)] }],
      audit: false,
      says: ["No step could be measured"],
    },
    {
      name: "no scores",
      trajectories: one,
      channels: [{ protocol, records: [protocolRecord(protocol)] }],
      audit: false,
      says: ["No step could be measured", "could not be measured and count"],
    },
    {
      name: "one run",
      trajectories: one,
      channels: [evenScores(one)],
      audit: false,
      says: ["below 5 no interval is given", "No step crossed"],
    },
    {
      name: "no target",
      trajectories: untargeted,
      channels: [study.channels[0]!],
      audit: false,
      says: [
        "No reviewed target",
        "without a target nobody can say whereto",
        "damage and repair are not known",
      ],
    },
    {
      name: "no pairs",
      trajectories: study.trajectories,
      channels: [
        study.channels[0]!,
        { ...study.channels[1]!, records: [protocolRecord(study.channels[1]!.protocol)] },
      ],
      audit: true,
      says: ["No transition was measured in both channels"],
    },
    {
      name: "same channel",
      trajectories: study.trajectories,
      channels: [study.channels[0]!, study.channels[0]!],
      audit: false,
      says: ["The protocols are the same in every field"],
    },
  ];
}

function withoutTarget(trajectory: Trajectory): Trajectory {
  const { goldCandidateId: _, ...candidateSpace } = trajectory.task.candidateSpace;
  return { ...trajectory, task: { ...trajectory.task, candidateSpace } };
}

/** Every state scored alike: no step moves anything. */
function evenScores(trajectories: readonly Trajectory[]): ScoredChannel {
  const evaluator = { kind: "scripted", model: "even", temperature: 0, thinking: false, topLogprobs: 20 };
  const protocol = defineProtocol({ ...protocols.direct, evaluator });
  return scriptedChannel(protocol, trajectories, { score: (_, candidate) => -1 - candidate });
}
