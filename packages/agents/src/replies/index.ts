export { jsonValuesIn } from "./json-in-text.ts";
export { parseReply } from "./parse-reply.ts";
export * from "./reply.ts";
export { REPLY_FORM } from "./reply-form.ts";
