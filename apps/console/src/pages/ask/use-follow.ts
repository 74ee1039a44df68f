import { useEffect, useRef } from 'react';

const NEAR_PX = 80;

/**
 * Keeps the end of the page visible while an answer grows, until the reader scrolls up. `version`
 * changes with each addition.
 */
export function useFollow(isActive: boolean, version: unknown): void {
  const follows = useRef(true);
  useEffect(() => {
    if (!isActive) return;
    follows.current = true;
    let lastTop = scrollY;
    const onScroll = () => {
      const page = document.documentElement;
      const distance = page.scrollHeight - page.clientHeight - scrollY;
      // A page that gets shorter moves up too, but its end stays visible.
      follows.current = distance < 2 || (scrollY >= lastTop && distance < NEAR_PX);
      lastTop = scrollY;
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [isActive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each addition.
  useEffect(() => {
    if (isActive && follows.current) scrollTo({ top: document.documentElement.scrollHeight });
  }, [isActive, version]);
}
