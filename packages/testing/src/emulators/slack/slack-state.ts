import type { PageTokens } from '#emulators/platform/page-tokens';
import type { SlackModel } from '#emulators/slack/slack-model';

export interface SlackState {
  readonly model: SlackModel;
  readonly cursors: PageTokens<number>;
  readonly origin: () => string;
  /** The maximum page size. */
  readonly pageSize: number;
  readonly scopes: Set<string>;
  /** Dialogs that were opened, and calls that show something to one person. */
  readonly views: SlackView[];
  readonly whispers: SlackWhisper[];
  /** Triggers of interactions, which open one dialog each. */
  readonly triggers: Set<string>;
}

export interface SlackView {
  readonly trigger: string;
  readonly view: Readonly<Record<string, unknown>>;
}

export interface SlackWhisper {
  readonly channel: string;
  readonly user: string;
  readonly threadTs: string | undefined;
  readonly text: string;
}

/** Slack's error: `ok: false` with status 200. */
export class SlackError extends Error {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(error: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(error);
    this.fields = fields;
  }
}

export type SlackArguments = URLSearchParams;
export type SlackMethod = (state: SlackState, args: SlackArguments) => Readonly<Record<string, unknown>>;

export function scope(state: SlackState, needed: string): void {
  if (state.scopes.has(needed)) return;
  throw new SlackError('missing_scope', { needed, provided: [...state.scopes].join(',') });
}
