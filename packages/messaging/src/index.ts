export * from './catalog/define.ts';
export * from './catalog/events.ts';
export * from './catalog/key-events.ts';
export * from './catalog/queues.ts';
export * from './messaging.ts';
export type { ConsumeOptions, Consumption, Delivery, Handler } from './nats/consume.ts';
