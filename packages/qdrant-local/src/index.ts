export { createQdrantLocal, type QdrantLocal, type QdrantLocalOptions } from './server.ts';
