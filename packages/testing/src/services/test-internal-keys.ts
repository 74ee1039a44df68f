/** What services under test sign their calls with (`LECTERN_INTERNAL_KEYS`); known to everybody, so for tests alone. */
export const TEST_INTERNAL_KEYS = 'tests-alone-know-this-key-0123456789';
