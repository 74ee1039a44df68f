import { TEST_INTERNAL_KEYS } from '#services/test-internal-keys';

// Jest's setupFiles: test services and their clients share this key.
process.env.LECTERN_INTERNAL_KEYS ??= TEST_INTERNAL_KEYS;
