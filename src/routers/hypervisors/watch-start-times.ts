/**
 * Since when this process has watched each hypervisor without a gap, by the id of its row. Nobody watched while the
 * process was down or the connection lost, so what happened then proves no intent.
 */
export type Watched = Map<number, Date>
