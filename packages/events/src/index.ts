export type { EventDatabase } from '#database';
export * from '#event-service';
export * from '#record-events';
