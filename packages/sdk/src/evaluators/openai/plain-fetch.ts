/** The `fetch` of the platform, or one that takes its place. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A `fetch` that sends exactly these headers and nothing the client package would add of its own
 * (runtime, operating system, headers from the environment), and follows no redirect, since a key
 * must not travel to an address that nobody named.
 */
export function plainFetch(
  fetch: FetchFunction | undefined,
  headers: Readonly<Record<string, string>>,
): (url: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const send = fetch ?? ((url, init) => globalThis.fetch(url, init));
  const all = { accept: "application/json", "content-type": "application/json", ...headers };
  const addressOf = (url: string | URL | Request) => (url instanceof Request ? url.url : url.toString());
  return (url, init) => send(addressOf(url), { ...init, headers: all, redirect: "manual" });
}
