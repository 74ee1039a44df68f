import { z } from 'zod';

/** The error message of a reply that timed out. */
export const TIMED_OUT = 'The reply took too long. Try again, or ask for fewer tokens.';

/** Whether a reply was finished in time. The message that it answers has the same status. */
export const storedMessageStatus = z.enum(['complete', 'timed_out']);

/** A document that a reply cites. */
export const storedSource = z.object({ id: z.string(), title: z.string(), excerpt: z.string(), url: z.string() });

/** The confidence of a reply. Each number is from 0 to 1. */
export const storedConfidence = z.object({
  score: z.number(),
  label: z.enum(['high', 'medium', 'low']),
  signals: z.object({
    coverageRatio: z.number(),
    shapeConfidence: z.number(),
    coverageCompleteness: z.number(),
    violationFree: z.number(),
  }),
});

/** The token usage of a reply. */
export const storedUsage = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  totalTokens: z.number(),
});

export type StoredSource = Readonly<z.infer<typeof storedSource>>;
export type StoredConfidence = Readonly<z.infer<typeof storedConfidence>>;
export type StoredUsage = Readonly<z.infer<typeof storedUsage>>;

/** The stored form of an assistant's message. */
export interface StoredReply {
  readonly content: string;
  /** In order of first citation. */
  readonly sources: readonly StoredSource[];
  readonly confidence: StoredConfidence;
  readonly usage: StoredUsage;
  readonly model: string;
}

/**
 * The documents that a stored reply is based on: those it cites and those whose words it repeats.
 */
export interface WithDocuments {
  readonly documents: readonly string[];
}

/**
 * The documents whose text could be in a reply, for readers other than the owner. Null: unknown, for
 * example because a tool returned text of another system.
 */
export interface WithShownDocuments {
  readonly shownDocuments: readonly string[] | null;
}
