import { isSecret } from "@coppice/engine/stranger";
import type { MiddlewareHandler } from "hono";

/** Who may ask, and how. */
export interface Access {
  /** Undefined: whoever can reach the address may look, and nothing else. */
  readonly token: string | undefined;
  /** Names this server answers to: a page elsewhere that has its own name lead here (DNS rebinding) is refused. */
  readonly hosts: () => readonly string[];
}

/**
 * Refuses requests for another name, requests that another site's page makes, and those without the token. There are no
 * cookies, so that a browser never adds to a request what its page does not know.
 */
export function admit({ token, hosts }: Access): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const host = req.header("host");
    if (host === undefined || !hosts().includes(host)) return context.text("this address is not served here\n", 421);
    const origin = req.header("origin");
    if (origin !== undefined && origin !== `http://${host}`) return context.text("asked from another site\n", 403);
    const site = req.header("sec-fetch-site");
    // A person who follows a link or types the address comes from anywhere, but only to the page itself.
    const isPage = req.method === "GET" && new URL(req.url).pathname === "/";
    if (!isPage && site !== undefined && site !== "same-origin" && site !== "none") {
      return context.text("asked from another site\n", 403);
    }
    if (token !== undefined && !isSecret(token, tokenOf(req.header("authorization"), req.query("token")))) {
      return context.text("the token is missing or wrong: open the address that `coppice studio` printed\n", 401);
    }
    if (token === undefined && req.method !== "GET") {
      return context.json({ error: "without a token one can only look: start the studio without --no-auth" }, 403);
    }
    return next();
  };
}

function tokenOf(authorization: string | undefined, query: string | undefined): string {
  return authorization?.replace(/^Bearer /, "") ?? query ?? "";
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What a browser is told of every answer: no other site, no guessing of types, no address passed on. */
export const guarded: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", POLICY);
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
  headers.set("cross-origin-resource-policy", "same-origin");
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("cache-control", "no-store");
};
