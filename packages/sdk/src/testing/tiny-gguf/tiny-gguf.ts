import { InvalidArgumentError } from "../../errors/index.ts";
import { writeGguf, type GgufTensor, type GgufValue } from "./gguf-writer.ts";
import { bpeVocabulary, spmVocabulary, type TinyVocabulary } from "./tiny-vocabulary.ts";

/** What {@link tinyGguf} is told; everything has a default. */
export interface TinyGgufOptions {
  /** Seed of the weights. Default 1. */
  seed?: number;
  /** Byte-level BPE (default) or SentencePiece with byte fallback. */
  tokenizer?: "bpe" | "spm";
  /** Tokens the model can see at once. Default 2048. */
  contextSize?: number;
  /**
   * By how much the logit of a token is raised in every context, such as `{ C: 3, A: 1 }`, so that a test
   * knows which label must win.
   */
  bias?: Readonly<Record<string, number>>;
  /** Jinja chat template; null leaves it out. Default: `role: content` lines. */
  chatTemplate?: string | null;
}

const WIDTH = 32;
const LAYERS = 2;
const HEADS = 4;
const FEED_FORWARD = 64;
/** A direction of the residual stream that no layer writes to; the bias is read from it. */
const CONSTANT = WIDTH - 1;

const TEMPLATE =
  "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}";

/**
 * The bytes of a language model that knows nothing: llama architecture, random weights in F32, some
 * 160 kB, the same bytes for the same options on every machine. With it a test can drive a real
 * inference engine in milliseconds.
 *
 * @throws InvalidArgumentError for a bias of a token that the vocabulary does not hold
 */
export function tinyGguf(options: TinyGgufOptions = {}): Uint8Array {
  const { seed = 1, tokenizer = "bpe", contextSize = 2048, bias = {}, chatTemplate = TEMPLATE } = options;
  const vocabulary = tokenizer === "spm" ? spmVocabulary() : bpeVocabulary();
  const metadata: [string, GgufValue][] = [
    ["general.architecture", text("llama")],
    ["general.name", text(`asv-tiny-random-${tokenizer}-seed${seed}`)],
    ["general.file_type", count(0)],
    ["llama.context_length", count(contextSize)],
    ["llama.embedding_length", count(WIDTH)],
    ["llama.block_count", count(LAYERS)],
    ["llama.feed_forward_length", count(FEED_FORWARD)],
    ["llama.attention.head_count", count(HEADS)],
    ["llama.attention.head_count_kv", count(HEADS)],
    ["llama.attention.layer_norm_rms_epsilon", { type: "f32", value: 1e-5 }],
    ["llama.rope.dimension_count", count(WIDTH / HEADS)],
    ["llama.rope.freq_base", { type: "f32", value: 10_000 }],
    ["llama.vocab_size", count(vocabulary.tokens.length)],
    ...vocabularyMetadata(tokenizer, vocabulary),
  ];
  if (chatTemplate !== null) metadata.push(["tokenizer.chat_template", text(chatTemplate)]);
  return writeGguf(metadata, weights(seed, vocabulary.tokens, bias));
}

function vocabularyMetadata(tokenizer: "bpe" | "spm", vocabulary: TinyVocabulary): [string, GgufValue][] {
  const spm = tokenizer === "spm";
  const { tokens, types, scores, merges, bos, eos, unknown } = vocabulary;
  return [
    ["tokenizer.ggml.model", text(spm ? "llama" : "gpt2")],
    ...(spm ? [] : [["tokenizer.ggml.pre", text("gpt-2")] as [string, GgufValue]]),
    ["tokenizer.ggml.tokens", { type: "array", of: "string", value: tokens }],
    ...(spm
      ? [["tokenizer.ggml.scores", { type: "array", of: "f32", value: scores }] as [string, GgufValue]]
      : []),
    ["tokenizer.ggml.token_type", { type: "array", of: "i32", value: types }],
    ...(spm
      ? []
      : [["tokenizer.ggml.merges", { type: "array", of: "string", value: merges }] as [string, GgufValue]]),
    ["tokenizer.ggml.bos_token_id", count(bos)],
    ["tokenizer.ggml.eos_token_id", count(eos)],
    ...(unknown === undefined
      ? []
      : [["tokenizer.ggml.unknown_token_id", count(unknown)] as [string, GgufValue]]),
    ["tokenizer.ggml.add_bos_token", { type: "bool", value: true }],
    ["tokenizer.ggml.add_eos_token", { type: "bool", value: false }],
    ...(spm
      ? [["tokenizer.ggml.add_space_prefix", { type: "bool", value: false }] as [string, GgufValue]]
      : []),
  ];
}

function weights(
  seed: number,
  tokens: readonly string[],
  bias: Readonly<Record<string, number>>,
): GgufTensor[] {
  const gauss = gaussian(seed);
  const tensors: GgufTensor[] = [];
  const add = (name: string, columns: number, rows: number, value: () => number): Float32Array => {
    const data = Float32Array.from({ length: columns * rows }, value);
    tensors.push({ name, dims: rows === 1 ? [columns] : [columns, rows], data });
    return data;
  };
  const deviation = 1 / Math.sqrt(WIDTH);
  const embedding = add("token_embd.weight", WIDTH, tokens.length, gauss);
  add("output_norm.weight", WIDTH, 1, () => 1);
  const output = add("output.weight", WIDTH, tokens.length, () => gauss() * deviation);
  for (let i = 0; i < tokens.length; i++) {
    embedding[i * WIDTH + CONSTANT] = 4;
    output[i * WIDTH + CONSTANT] = 0;
  }
  for (const [token, raise] of Object.entries(bias)) {
    const id = tokens.indexOf(token);
    if (id < 0) throw new InvalidArgumentError("bias", "by tokens of the vocabulary", token);
    output[id * WIDTH + CONSTANT] = raise;
  }
  for (let layer = 0; layer < LAYERS; layer++) {
    const prefix = `blk.${layer}.`;
    add(`${prefix}attn_norm.weight`, WIDTH, 1, () => 1);
    for (const name of ["attn_q", "attn_k", "attn_v"]) {
      add(`${prefix}${name}.weight`, WIDTH, WIDTH, () => gauss() * deviation);
    }
    const attention = add(`${prefix}attn_output.weight`, WIDTH, WIDTH, () => gauss() * deviation * 0.5);
    attention.fill(0, CONSTANT * WIDTH, (CONSTANT + 1) * WIDTH);
    add(`${prefix}ffn_norm.weight`, WIDTH, 1, () => 1);
    for (const name of ["ffn_gate", "ffn_up"]) {
      add(`${prefix}${name}.weight`, WIDTH, FEED_FORWARD, () => gauss() * deviation);
    }
    const down = add(
      `${prefix}ffn_down.weight`,
      FEED_FORWARD,
      WIDTH,
      () => (gauss() / Math.sqrt(FEED_FORWARD)) * 0.5,
    );
    down.fill(0, CONSTANT * FEED_FORWARD, (CONSTANT + 1) * FEED_FORWARD);
  }
  return tensors;
}

/** Normal deviates by Box and Muller from mulberry32, each from two draws. */
function gaussian(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

const text = (value: string): GgufValue => ({ type: "string", value });
const count = (value: number): GgufValue => ({ type: "u32", value });
