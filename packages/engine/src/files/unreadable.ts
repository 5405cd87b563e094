const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
};

/** Why a file that a user named could not be read, for people. */
export function unreadable(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

const obstacles: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "part of the path is a file",
  EEXIST: "it is a file, not a folder",
  EACCES: "it may not be written",
  EROFS: "nothing may be written there",
  EISDIR: "it is a folder",
  ENOSPC: "the disk is full",
};

/** Why a file or folder that a user named could not be written, for people. */
export function unwritable(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return obstacles[code] ?? message;
}

/** What is wrong with a file's text: what the parser says first, without the lines that it shows. */
export function wrongSyntax({ message }: Error): string {
  return message.split("\n")[0].replace(/:$/, "");
}
