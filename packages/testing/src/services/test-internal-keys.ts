/**
 * The key of services under test (`LECTERN_INTERNAL_KEYS`). It is public, so use it only in tests.
 */
export const TEST_INTERNAL_KEYS = 'tests-alone-know-this-key-0123456789';
