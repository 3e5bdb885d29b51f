import { RECORD, type SpillBucket, type SpilledRecord } from "./record-spill.ts";

/** The records of one trajectory, or those of one trace that say something of a run and the spans above them. */
export interface RecordGroup {
  readonly native: boolean;
  readonly hash: number;
  readonly records: SpilledRecord[];
  /** Hashes of the spans that are in it. */
  readonly spans: Set<number>;
  /** Nanoseconds since 1970 of its first span. */
  start: number;
  bytes: number;
  besideNative: boolean;
}

/** A parent chain through more spans without content than this is followed no further. */
const MOST_PASSES = 64;

/** The groups of a bucket in order of their start. Spans without content are in it only above spans with it. */
export function recordGroups(bucket: SpillBucket): RecordGroup[] {
  const groups = new Map<string, RecordGroup>();
  const nativeTraces = new Set<number>();
  let plumbing = false;
  for (const record of bucket.records()) {
    if (record.kind === RECORD.plumbing) plumbing = true;
    else if (record.kind === RECORD.nativeTrace) nativeTraces.add(record.group);
    else addRecord(groups, record);
  }
  const found = [...groups.values()];
  for (const group of found) group.besideNative = !group.native && nativeTraces.has(group.hash);
  if (plumbing)
    addAncestors(
      bucket,
      found.filter(({ native }) => !native),
    );
  return found.sort((a, b) => a.start - b.start || a.hash - b.hash);
}

function addRecord(groups: Map<string, RecordGroup>, record: SpilledRecord): void {
  const native = record.kind === RECORD.native;
  const key = `${native ? "n" : "f"}${record.group}`;
  let group = groups.get(key);
  if (group === undefined) {
    group = {
      native,
      hash: record.group,
      records: [],
      spans: new Set(),
      start: Infinity,
      bytes: 0,
      besideNative: false,
    };
    groups.set(key, group);
  }
  take(group, record);
  if (record.kind !== RECORD.log) group.start = Math.min(group.start, record.start);
}

function take(group: RecordGroup, record: SpilledRecord): void {
  group.records.push(record);
  group.bytes += record.length;
  if (record.span !== 0) group.spans.add(record.span);
}

/**
 * Adds the spans that stand between spans with content and their root. Passes over the bucket instead of an
 * index of its spans: a trace may have millions of which a few matter.
 */
function addAncestors(bucket: SpillBucket, groups: readonly RecordGroup[]): void {
  const taken = new Set<number>();
  const wanted = new Map<number, { group: RecordGroup; parents: Set<number> }>();
  for (const group of groups) {
    const parents = new Set(group.records.map(({ parent }) => parent).filter((parent) => parent !== 0));
    for (const parent of parents) if (group.spans.has(parent)) parents.delete(parent);
    if (parents.size > 0) wanted.set(group.hash, { group, parents });
  }
  for (let pass = 0, found = wanted.size > 0; found && pass < MOST_PASSES; pass++) {
    found = false;
    for (const record of bucket.records()) {
      if (record.kind !== RECORD.plumbing) continue;
      const want = wanted.get(record.group);
      if (want === undefined || !want.parents.has(record.span) || taken.has(record.at)) continue;
      taken.add(record.at);
      take(want.group, record);
      if (record.parent !== 0) want.parents.add(record.parent);
      found = true;
    }
  }
}
