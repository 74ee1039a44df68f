import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useWaiting } from '#pages/approvals/use-waiting.ts';
import { RichText } from '#ui/rich-text.tsx';

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
      <RichText name="approvals.waiting" count={count} elements={{ page: <Link href="/agents" /> }} />
    </p>
  );
}
