package attack

var (
	uploadAttacks   []attack
	guideAttacks    []attack
	filmAttacks     []attack
	moneyAttacks    []attack
	slowAttacks     []attack
	terminalAttacks []attack
	secretAttacks   []attack
	uncleanAttacks  []attack
	guardAttacks    []attack
)
