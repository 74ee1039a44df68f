/** What a tool server returned, without its secrets. */
export interface ServerReply {
  readonly text: string;
  readonly isError: boolean;
  /** The HTTP status of an operation. */
  readonly status?: number;
}
