import preset from '../../jest.engines.mjs';
import { shortened } from '../../jest.systems.mjs';

export const fullRuns = ['tests/brute-force.test.ts', 'tests/no-leaks.test.ts'];

export default shortened(preset, fullRuns);
