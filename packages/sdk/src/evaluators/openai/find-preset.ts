import { AsvError, InvalidArgumentError, showValue } from "../../errors/index.ts";
import type { JsonObject } from "../../schema/index.ts";
import { PROVIDER_PRESETS, type ProviderPreset } from "./provider-presets.ts";

/** Where calls go and what they need there. */
export interface Provider {
  preset: ProviderPreset;
  baseUrl: string;
  /** Short name for records: the preset's where its host is known, `local`, or the host name. */
  endpoint: string;
}

/**
 * The preset by name, else by the base URL's host, else `compatible`; and the base URL, by default the
 * preset's.
 *
 * @throws InvalidArgumentError for a base URL that is none, holds a password, or is missing;
 * AsvError `unknown_format` for a preset there is none of
 */
export function findProvider(name: string | undefined, baseUrl: string | undefined): Provider {
  const url = baseUrl === undefined ? undefined : readUrl(baseUrl);
  const known = [...PROVIDER_PRESETS.values()];
  const byHost = known.find(({ hosts }) => url !== undefined && hosts?.test(url.hostname) === true);
  const preset =
    name === undefined
      ? (byHost ?? PROVIDER_PRESETS.get(url === undefined ? "openai" : "compatible")!)
      : PROVIDER_PRESETS.get(name);
  if (preset === undefined) {
    const names = [...PROVIDER_PRESETS.keys()].join(", ");
    throw new AsvError("unknown_format", `There is no provider preset ${showValue(name)}; use ${names}.`);
  }
  const address = baseUrl ?? preset.baseUrl;
  if (address === undefined) {
    throw new InvalidArgumentError(
      "baseUrl",
      `given, since preset ${preset.name} has no address of its own`,
      baseUrl,
    );
  }
  return { preset, baseUrl: address, endpoint: endpointName(new URL(address), byHost ?? preset) };
}

/** What a model needs beyond the preset. @throws AsvError `incompatible_evaluator` for a refused model */
export function modelBody(preset: ProviderPreset, model: string): JsonObject {
  const rules = (preset.models ?? []).filter(({ models }) => models.test(model));
  const refused = rules.find((rule) => rule.refused !== undefined)?.refused;
  if (refused !== undefined) {
    throw new AsvError(
      "incompatible_evaluator",
      `Model ${showValue(model)} at ${preset.name} cannot score labels: ${refused}. Choose a model that does not reason.`,
      { model, preset: preset.name },
    );
  }
  return Object.assign({}, ...rules.map(({ body }) => body ?? {})) as JsonObject;
}

const LOCAL = /^(localhost|127\.|\[::1\]$|0\.0\.0\.0$|::1$)/;

/** Never a port, a path or a query: a server that moves keeps its scores, and no secret can be in it. */
function endpointName({ hostname }: URL, { name, hosts }: ProviderPreset): string {
  if (hosts?.test(hostname) === true) return name;
  return LOCAL.test(hostname) ? "local" : hostname;
}

function readUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // The message must not repeat what may hold a password.
  }
  const fits = url !== undefined && /^https?:$/.test(url.protocol);
  if (!fits)
    throw new AsvError(
      "invalid_argument",
      "baseUrl must be an address that begins with http:// or https://.",
    );
  if (url!.username !== "" || url!.password !== "") {
    throw new AsvError(
      "invalid_argument",
      "baseUrl must hold no user name or password; give the key as apiKey.",
    );
  }
  for (const name of url!.searchParams.keys()) {
    if (SECRET_NAME.test(name))
      throw new AsvError(
        "invalid_argument",
        `baseUrl must hold no key, as its query does (${showValue(name)}); give it as apiKey.`,
      );
  }
  return url!;
}

const SECRET_NAME = /key|token|secret|sig|pass|auth|credential|code/i;
