import preset from '../../jest.engines.mjs';
import { shortened } from '../../jest.systems.mjs';

export const fullRuns = ['tests/group-imports.test.ts'];

// These tests start and kill services. On a loaded machine that takes minutes.
export default shortened({ ...preset, testTimeout: 300_000 }, fullRuns);
