import { type ReactNode, useState } from 'react';

/** Content that is expanded on wide screens and collapsed on narrow ones. */
export function Folded({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [isWide] = useState(() => matchMedia('(min-width: 861px)').matches);
  return (
    <details className="folded" open={isWide}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
