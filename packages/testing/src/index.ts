export { waitUntil } from '@lectern/local-engines';
export * from './engines/database.ts';
export * from './engines/nats.ts';
export * from './engines/qdrant.ts';
export * from './engines/temporary-folder.ts';
export * from './services/create-caller.ts';
export * from './services/start-test-service.ts';
