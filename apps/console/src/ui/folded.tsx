import { type ReactNode, useState } from 'react';

/** What stands open where there is room, and behind its name where there is not. */
export function Folded({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [isWide] = useState(() => matchMedia('(min-width: 861px)').matches);
  return (
    <details className="folded" open={isWide}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
