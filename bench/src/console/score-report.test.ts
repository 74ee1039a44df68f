import { describe, expect, it } from '@jest/globals';
import { scoreReport } from '#console/score-report';

describe('scoreReport', () => {
  it('shows the median of each category, marks low scores, and names what lowers them', () => {
    const scores = { performance: [90, 99, 97], 'best-practices': [100, 100, 100], accessibility: [96, 96, 96] };
    const report = scoreReport([
      { name: 'Search', scores, failed: [] },
      { name: 'Chat', scores: { ...scores, accessibility: [94, 94, 94] }, failed: ['color-contrast'] },
    ]);
    const rows = report.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows[2]).toEqual(['', 'Search', '97', '100', '96', 'yes', '']);
    expect(rows[3]).toEqual(['', 'Chat', '97', '100', '94', 'no', '']);
    expect(report).toContain('Chat: color-contrast');
    expect(report).not.toContain('Search:');
  });
});
