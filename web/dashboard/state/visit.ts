/** Whether a page was shown before in this visit: the focus moves to the heading of those after the first. */
export const visit = { begun: false };
