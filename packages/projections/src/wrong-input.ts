import { UsageError } from "@coppice/engine";

/** Something the user gave cannot be used; the message is one line that says what, where and what would be right. */
export class WrongInput extends UsageError {}
