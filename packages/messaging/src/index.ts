export * from './catalogue/define.ts';
export * from './catalogue/events.ts';
export * from './catalogue/key-events.ts';
export * from './catalogue/queues.ts';
export * from './messaging.ts';
export type { ConsumeOptions, Consumption, Delivery, Handler } from './nats/consume.ts';
