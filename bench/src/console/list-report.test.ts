import { describe, expect, it } from '@jest/globals';
import { documentsPage } from '#console/documents-page';
import { listReport } from '#console/list-report';
import { taskTimes } from '#console/task-times';

const cells = (report: string) =>
  report
    .split('\n')[2]
    ?.split('|')
    .map((cell) => cell.trim());

describe('listReport', () => {
  it('shows the frame time that 95% of the frames keep, and the longest task', () => {
    const frameMs = Array.from({ length: 100 }, (_, at) => at + 1);
    const smooth = listReport({ documents: 10_000, pages: 500, longTasks: [], frameMs, cpuMs: [12, 30.5, 4] });
    expect(cells(smooth)).toEqual(['', '10000 documents', '500', '100', '95.0', '0', 'below 50', '30.5', 'yes', '']);
    const longTasks = [
      { page: 3, durationMs: 60 },
      { page: 7, durationMs: 90 },
    ];
    const slow = listReport({ documents: 10_000, pages: 500, longTasks, frameMs, cpuMs: [70] });
    expect(cells(slow)?.slice(5, 9)).toEqual(['2', '90.0', '70.0', 'no']);
    expect(slow).toContain('Longest: page 7: 90.0 ms, page 3: 60.0 ms.');
  });
});

describe('taskTimes', () => {
  it('returns the CPU time of the tasks of the page alone', () => {
    const task = { name: 'ThreadControllerImpl::RunTask', ph: 'X', pid: 1, dur: 90_000 };
    const traceEvents = [
      { name: 'thread_name', ph: 'M', pid: 1, tid: 7, args: { name: 'CrRendererMain' } },
      { name: 'thread_name', ph: 'M', pid: 1, tid: 8, args: { name: 'Compositor' } },
      { ...task, tid: 7, tdur: 12_500 },
      { ...task, tid: 8, tdur: 60_000 },
      { ...task, tid: 7, name: 'Other', tdur: 60_000 },
    ];
    expect(taskTimes(JSON.stringify({ traceEvents }))).toEqual([12.5]);
  });
});

describe('documentsPage', () => {
  it('returns every document on one page', () => {
    const pages = [1, 2, 3, 4].map((page) => documentsPage('col_1', 50, page, 20));
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(50);
    expect(ids).toHaveLength(50);
    expect(pages.map(({ meta }) => meta.hasMore)).toEqual([true, true, false, false]);
  });
});
