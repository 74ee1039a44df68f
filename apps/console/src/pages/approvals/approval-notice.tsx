import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useWaiting } from '#pages/approvals/use-waiting.ts';
import { plural } from '#ui/plural.ts';

/** The pages that show the waiting calls themselves. */
const SHOWS_CALLS = /^\/(ask|chat|agents)(\/|$)/;

/** Shows on every page that tool calls wait for a decision of the user. */
export function ApprovalNotice() {
  const [location] = useLocation();
  const { data, refetch } = useWaiting();
  const count = data?.length ?? 0;
  const place = useRef(location);
  useEffect(() => {
    if (place.current !== location) void refetch();
    place.current = location;
  }, [location, refetch]);
  if (count === 0 || SHOWS_CALLS.test(location)) return null;
  return (
    <p className="notice notice-warn small" role="status">
      {plural(count, 'tool call')} {count === 1 ? 'waits' : 'wait'} for your approval.{' '}
      <Link href="/agents">{count === 1 ? 'Show the call' : 'Show the calls'}</Link>
    </p>
  );
}
