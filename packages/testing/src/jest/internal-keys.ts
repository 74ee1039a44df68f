import { TEST_INTERNAL_KEYS } from '../services/test-internal-keys.ts';

// Jest's setupFiles: services that a test starts, and the clients that it calls them with, share a key.
process.env.LECTERN_INTERNAL_KEYS ??= TEST_INTERNAL_KEYS;
