import type { z } from 'zod';

/** A kind of work, kept in JetStream until it is done: each message is handled once, by one of the consumers. */
export interface Queue<T> {
  /** The durable consumer's name, and the last part of the subject `lectern.work.<name>`. */
  readonly name: string;
  readonly subject: string;
  readonly schema: z.ZodType<T>;
  /** Milliseconds after which a message whose worker is silent goes to another; a living worker renews it. */
  readonly ackWaitMs: number;
  /** Deliveries at the most; the next would be a dead letter. */
  readonly maxDeliveries: number;
  /** Milliseconds before each redelivery of a failed message; the last one repeats. */
  readonly backoffMs: readonly number[];
}

/** Something that happened, told to whoever listens now; nothing is kept, so nothing may depend on it. */
export interface Event<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** The subject of one event. */
  subject(event: T): string;
  /** The subject that matches all of them, or those of the given key parts in order. */
  pattern(...key: readonly string[]): string;
}

/** Declares a queue. */
export function queue<T>(definition: Omit<Queue<T>, 'subject'>): Queue<T> {
  return { ...definition, subject: `lectern.work.${definition.name}` };
}

/** Declares an event whose subject is `<prefix>.<key parts>.<name>`. */
export function event<T>(definition: {
  readonly prefix: string;
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** The values of T that stand in the subject, most general first. */
  readonly key: (event: T) => readonly string[];
  readonly keyLength: number;
}): Event<T> {
  const { prefix, name, schema, keyLength } = definition;
  const subject = (key: readonly string[]) => [prefix, ...key, name].join('.');
  return {
    name,
    schema,
    subject: (value) => subject(definition.key(value)),
    pattern: (...key) => subject([...key, ...Array<string>(keyLength - key.length).fill('*')]),
  };
}
