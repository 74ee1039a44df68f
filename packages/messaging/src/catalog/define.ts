import type { z } from 'zod';

/** A kind of work. JetStream stores each message until one of the consumers has handled it. */
export interface Queue<T> {
  /** The durable consumer's name, and the last part of the subject `lectern.work.<name>`. */
  readonly name: string;
  readonly subject: string;
  readonly schema: z.ZodType<T>;
  /**
   * Milliseconds until a message is delivered to another worker. A running worker extends this
   * time.
   */
  readonly ackWaitMs: number;
  /** Maximum number of deliveries. After that the message becomes a dead letter. */
  readonly maxDeliveries: number;
  /** Milliseconds before each redelivery of a failed message; the last one repeats. */
  readonly backoffMs: readonly number[];
}

/** An event for current subscribers. It is not stored, so no work can depend on it. */
export interface Event<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** The subject of one event. */
  subject(event: T): string;
  /** The subject that matches all events, or those with the given key parts. */
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
  /** The values of T in the subject, most general first. */
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
