import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A number of the overview, with a link to its page. */
export function MetricCard({
  to,
  name,
  value,
  children,
}: {
  readonly to: string;
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="card">
      <Link href={to} className="muted small">
        {name}
      </Link>
      <p className="metric-value">{value}</p>
      <p className="muted small">{children}</p>
    </li>
  );
}
