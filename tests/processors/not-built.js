/** The classes that have no row yet, and the cases that are known to differ: beginnings of their ids. */
export const notBuilt = [];

export const notEqual = [];
