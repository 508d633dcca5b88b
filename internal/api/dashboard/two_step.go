package dashboard

import (
	"net/http"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
)

type twoStepJSON struct {
	On            bool       `json:"on"`
	Since         *timestamp `json:"since"`
	RecoveryCodes int        `json:"recoveryCodes"`
}

func (a *API) getTwoStep(c *call) error {
	step, err := a.SignIn.TwoStep(c.r.Context(), c.session.UserID)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, twoStepJSON{step.On(), optional(step.ConfirmedAt), step.RecoveryCodes})
}

func (a *API) startTwoStep(c *call) error {
	var password string
	if err := c.body(func(o *strictjson.Object) {
		password = o.NonEmptyUpTo("password", strictjson.Required, org.MaxPassword)
	}); err != nil {
		return err
	}
	made, err := a.SignIn.StartTwoStep(c.r.Context(), c.session.UserID, password)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, struct {
		Secret  string `json:"secret"`
		Address string `json:"address"`
	}{made.Secret, made.Address})
}

// requiredCode reads a body that has nothing but a code.
func (c *call) requiredCode() (given string, err error) {
	err = c.body(func(o *strictjson.Object) { given = code(o, strictjson.Required) })
	return given, err
}

func (a *API) confirmTwoStep(c *call) error {
	given, err := c.requiredCode()
	if err != nil {
		return err
	}
	codes, err := a.SignIn.ConfirmTwoStep(c.r.Context(), c.session.UserID, given)
	return c.recoveryCodes(codes, err)
}

func (a *API) replaceRecoveryCodes(c *call) error {
	given, err := c.requiredCode()
	if err != nil {
		return err
	}
	codes, err := a.SignIn.ReplaceRecoveryCodes(c.r.Context(), c.session.UserID, given)
	return c.recoveryCodes(codes, err)
}

func (c *call) recoveryCodes(codes []string, err error) error {
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		RecoveryCodes []string `json:"recoveryCodes"`
	}{codes})
}

func (a *API) stopTwoStep(c *call) error {
	given, err := c.requiredCode()
	if err != nil {
		return err
	}
	if err := a.SignIn.StopTwoStep(c.r.Context(), c.session.UserID, given); err != nil {
		return err
	}
	return c.done()
}

func (a *API) removeTwoStep(c *call) error {
	if err := a.SignIn.RemoveTwoStep(c.r.Context(), c.caller, c.userID()); err != nil {
		return err
	}
	return c.done()
}
