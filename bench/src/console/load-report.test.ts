import { describe, expect, it } from '@jest/globals';
import { loadReport } from '#console/load-report';

describe('loadReport', () => {
  it('shows median and worst, and marks missed limits', () => {
    const report = loadReport([
      { name: 'Sign in', scriptBytes: 101_000, interactiveMs: [300, 250, 900] },
      { name: 'Search', scriptBytes: 251_000, interactiveMs: [300] },
      { name: 'Chat', scriptBytes: 100_000, interactiveMs: [300, 1_600] },
    ]);
    const rows = report.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows[2]).toEqual(['', 'Sign in', '101.0', '300', '900', '3', 'yes', '']);
    expect(rows[3]?.[6]).toBe('no');
    expect(rows[4]?.[6]).toBe('no');
  });
});
