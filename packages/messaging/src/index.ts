export * from '#catalog/define';
export * from '#catalog/events';
export * from '#catalog/key-events';
export * from '#catalog/queues';
export * from '#messaging';
export type { ConsumeOptions, Consumption, Delivery, Handler } from '#nats/consume';
