export { type ServerOptions, serveMcp } from "./server.ts";
